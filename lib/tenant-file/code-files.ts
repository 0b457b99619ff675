// An action's code may be a file beside the tenant file, as in an export of the vendor: `code: ./actions/x/code.js`.
// The file is read before planning, with its variables replaced as in the tenant file. If it cannot be read, the path stays in
// place and is reported.
import { isJsonObject } from '../kernel/json'
import type { Json, JsonObject } from './model'
import { replaceVariables, type Variables } from './variables'

/** The text of a file by its path relative to the tenant file; null if it cannot be read or is outside its folder. */
export type ReadSibling = (path: string) => Promise<string | null>

export const isCodeFile = (code: string): boolean => /^\s*[\w@./ -]{1,300}\.js\s*$/.test(code)

export async function withCodeFiles(
  document: JsonObject,
  { variables, readSibling = async () => null }: { variables: Variables; readSibling?: ReadSibling },
): Promise<JsonObject> {
  if (!Array.isArray(document.actions)) return document
  const read = async (action: Json): Promise<Json> => {
    if (!isJsonObject(action) || typeof action.code !== 'string' || !isCodeFile(action.code)) return action
    const code = await readSibling(action.code.trim())
    return code === null ? action : { ...action, code: replaceVariables(code, variables) }
  }
  return { ...document, actions: await Promise.all(document.actions.map(read)) }
}
