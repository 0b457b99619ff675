// Parses the text of a tenant file to a plain document, or reports every reason why it is invalid.
// Bounded: the size of the text and the number of alias expansions, so no file can exhaust the process.

import { parseDocument } from 'yaml'
import { isJsonObject } from '../../kernel/json'
import { type JsonObject, type Problem, TenantFileError } from './model'
import { replaceVariables, type Variables } from './variables'

const MAX_CHARACTERS = 10_000_000
const MAX_ALIASES = 100

export function readTenantFile(file: string, text: string, variables: Variables): JsonObject {
  const fail = (problems: Problem[]): never => {
    throw new TenantFileError(file, problems)
  }
  if (text.length > MAX_CHARACTERS)
    return fail([{ path: '', reason: `the file is larger than ${MAX_CHARACTERS} characters` }])
  const document = parseDocument(replaceVariables(text, variables), { merge: true, prettyErrors: true })
  if (document.errors.length > 0)
    return fail(document.errors.map(({ message }) => ({ path: '', reason: firstLine(message) })))
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {}
    return isJsonObject(value) ? value : fail([{ path: '', reason: 'the file must be a map of sections' }])
  } catch (error) {
    if (error instanceof ReferenceError)
      return fail([{ path: '', reason: 'the file repeats itself through too many YAML aliases' }])
    throw error
  }
}

const firstLine = (message: string): string => (message.split('\n')[0] ?? message).replace(/:$/, '')
