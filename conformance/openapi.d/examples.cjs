// Holds each example of an OpenAPI document against its schema, by the rules of JSON Schema 2020-12.
// Arguments: the document. Ends with 1 if one does not fit.
const fs = require("node:fs");
const Ajv = require("ajv/dist/2020").default;

const document = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(document, "openapi");
let checked = 0;
let wrong = 0;

function check(pointer, media) {
  if (!media || media.example === undefined) return;
  checked++;
  const validate = ajv.compile({ $ref: `openapi#${pointer}/schema` });
  if (validate(media.example)) return;
  wrong++;
  console.log(pointer, JSON.stringify(validate.errors));
}

const part = (name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
for (const [path, verbs] of Object.entries(document.paths)) {
  for (const [verb, operation] of Object.entries(verbs)) {
    const own = `/paths/${part(path)}/${verb}`;
    const bodies = { requestBody: operation.requestBody };
    for (const [status, response] of Object.entries(operation.responses)) bodies[`responses/${status}`] = response;
    for (const [where, body] of Object.entries(bodies)) {
      for (const [type, media] of Object.entries(body?.content ?? {})) check(`${own}/${where}/content/${part(type)}`, media);
    }
  }
}
console.log(`examples: ${checked} checked, ${wrong} wrong`);
process.exit(wrong > 0 || checked === 0 ? 1 : 0);
