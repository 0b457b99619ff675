// Code and templates may be files beside the tenant file, as in an export of the vendor: `code: ./actions/x/code.js`,
// `body: ./emailTemplates/verify_email.html`.
// A file is read before planning, with its variables replaced as in the tenant file. If it cannot be read, the path stays in
// place and is reported.

import { isJsonObject } from '../kernel/json'
import { mapBounded } from '../kernel/map-bounded.mjs'
import type { Json, JsonObject } from './model'
import { replaceVariables, type Variables } from './variables'

/** The text of a file by its path relative to the tenant file; null if it cannot be read or is outside its folder. */
export type ReadSibling = (path: string) => Promise<string | null>

export const isCodeFile = (code: string): boolean => /^\s*[\w@./ -]{1,300}\.js\s*$/.test(code)
export const isTemplateFile = (body: string): boolean => /^\s*[\w@./ -]{1,300}\.html\s*$/.test(body)

/** The section, the member of its entries, and whether a text is the path of a file. */
const FILES = [
  ['actions', 'code', isCodeFile],
  ['emailTemplates', 'body', isTemplateFile],
] as const

export async function withCodeFiles(
  document: JsonObject,
  { variables, readSibling = async () => null }: { variables: Variables; readSibling?: ReadSibling },
): Promise<JsonObject> {
  const read = { ...document }
  for (const [section, member, isFile] of FILES) {
    const entries = document[section]
    if (!Array.isArray(entries)) continue
    read[section] = await mapBounded(entries, async (entry): Promise<Json> => {
      const path = isJsonObject(entry) ? entry[member] : undefined
      if (!isJsonObject(entry) || typeof path !== 'string' || !isFile(path)) return entry
      const text = await readSibling(path.trim())
      return text === null ? entry : { ...entry, [member]: replaceVariables(text, variables) }
    })
  }
  return read
}
