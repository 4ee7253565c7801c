// What a typed client must be able to say: open objects take any field.
import type { components, paths } from "./mainstay";

type Body<Path extends keyof paths, Verb extends keyof paths[Path]> = paths[Path][Verb] extends {
  requestBody?: { content: { "application/json": infer T } };
}
  ? T
  : never;

export const task: Body<"/tasks", "post"> = { title: "Add login", metadata: { branch: "main", tries: 3 } };
export const ended: Body<"/assignments/{assignment}/complete", "put"> = { result: { files: ["App.java"], ok: true } };
export const started: Body<"/workflows/{workflow}/executions", "post"> = { variables: { version: "1.4.0" } };
export const terms: Body<"/tasks/{id}/terms", "put"> = { max_attempts: 3, budget: { tokens: 500000 } };
export const known: components["schemas"]["Task"]["metadata"] = { anything: [1, "two", { three: null }] };
