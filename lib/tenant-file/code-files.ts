// An action's code may be a file beside the tenant file, as an export of the vendor's has it: `code: ./actions/x/code.js`.
// It is read before anything is planned, with its variables replaced as in the file itself. One that cannot be read stays
// named, and is reported.
import type { Json, JsonObject } from './model'
import { isJsonObject } from './read'
import { replaceVariables, type Variables } from './variables'

/** The text of a file by its path from the tenant file; null where it cannot be read or lies elsewhere. */
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
