// Code and templates may be files beside the tenant file, as in an export of the vendor: `code: ./actions/x/code.js`,
// `body: ./emailTemplates/verify_email.html`. A bundle of packages is a file as well: `bundle: ./x.bundle.json`.
// A file is read before planning, with its variables replaced as in the tenant file. If it cannot be read, the path stays in
// place and is reported.

import { DATABASE_SCRIPTS } from '../../data/connections/custom-database'
import { isJsonObject } from '../../kernel/json'
import { mapBounded } from '../../kernel/map-bounded.mjs'
import type { Json, JsonObject } from './model'
import { replaceVariables, type Variables } from './variables'

/** The text of a file by its path relative to the tenant file; null if it cannot be read or is outside its folder. */
export type ReadSibling = (path: string, maxBytes?: number) => Promise<string | null>

export const isCodeFile = (code: string): boolean => /^\s*[\w@./ -]{1,300}\.js\s*$/.test(code)
export const isTemplateFile = (body: string): boolean => /^\s*[\w@./ -]{1,300}\.html\s*$/.test(body)
export const isBundleFile = (bundle: string): boolean => /^\s*[\w@./ -]{1,300}\.json\s*$/.test(bundle)

/** Says of the path of a file that stayed in place. */
export const unreadFile = (path: string): string => `${path.trim()} cannot be read beside the tenant file`

/** Why the code of an entry is not there; null if it is. */
export function whyUnread(code: string): string | null {
  if (code === '') return 'has no code'
  return isCodeFile(code) ? unreadFile(code) : null
}

/** The member of the file with the bundle of all its scripts, rules and hooks. */
export const SCRIPT_BUNDLE = 'scriptBundle'

const MAX_BUNDLE_FILE = 20 * 1024 * 1024

type Sibling = {
  section: string
  /** Of an entry. */
  member: string
  /** The objects of the entry that the member is in. */
  within?: readonly string[]
  /** Whether a text is the path of a file. */
  isFile(text: string): boolean
  /** Its variables are not replaced. */
  isPlain?: true
  maxBytes?: number
}

const SCRIPTS = ['options', 'customScripts']

const FILES: readonly Sibling[] = [
  { section: 'actions', member: 'code', isFile: isCodeFile },
  { section: 'actions', member: 'bundle', isFile: isBundleFile, isPlain: true, maxBytes: MAX_BUNDLE_FILE },
  { section: 'actionModules', member: 'code', isFile: isCodeFile },
  { section: 'emailTemplates', member: 'body', isFile: isTemplateFile },
  { section: 'hooks', member: 'script', isFile: isCodeFile },
  { section: 'rules', member: 'script', isFile: isCodeFile },
  { section: 'connections', within: ['options', 'scripts'], member: 'fetchUserProfile', isFile: isCodeFile },
  ...DATABASE_SCRIPTS.map((member) => ({ section: 'databases', within: SCRIPTS, member, isFile: isCodeFile })),
]

export async function withCodeFiles(
  document: JsonObject,
  { variables, readSibling = async () => null }: { variables: Variables; readSibling?: ReadSibling },
): Promise<JsonObject> {
  const withFiles = { ...document }
  for (const { section, member, within = [], isFile, isPlain, maxBytes } of FILES) {
    const entries = withFiles[section]
    if (!Array.isArray(entries)) continue
    withFiles[section] = await mapBounded(entries, (entry) =>
      changedAt(entry, [...within, member], async (path) => {
        if (typeof path !== 'string' || !isFile(path)) return path
        const text = await readSibling(path.trim(), maxBytes)
        return text === null ? path : isPlain ? text : replaceVariables(text, variables)
      }),
    )
  }
  const { [SCRIPT_BUNDLE]: bundle } = document
  if (typeof bundle === 'string' && isBundleFile(bundle))
    withFiles[SCRIPT_BUNDLE] = (await readSibling(bundle.trim(), MAX_BUNDLE_FILE)) ?? bundle
  return withFiles
}

/** Changes the member at a path; what has none stays as it is. */
async function changedAt(
  value: Json,
  [name, ...rest]: readonly string[],
  change: (value: Json) => Promise<Json>,
): Promise<Json> {
  if (name === undefined) return change(value)
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value
  return { ...value, [name]: await changedAt(value[name] ?? null, rest, change) }
}
