// Stands before a server and adds the token to each request, because the suite cannot send one. What
// it is called and where a page is from is passed on, so that the server still judges that itself.
//
//   node with-token.mjs SERVER_PORT TOKEN      prints the port it listens on

import http from 'node:http';

const [serverPort, token] = process.argv.slice(2);

const proxy = http.createServer((request, response) => {
  const own = `localhost:${proxy.address().port}`;
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  if (headers.host === own) headers.host = `localhost:${serverPort}`;
  if (headers.origin === `http://${own}`) headers.origin = `http://localhost:${serverPort}`;
  const onward = http.request(
    { host: '127.0.0.1', port: serverPort, method: request.method, path: request.url, headers },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    }
  );
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
});

proxy.listen(0, '127.0.0.1', () => console.log(proxy.address().port));
