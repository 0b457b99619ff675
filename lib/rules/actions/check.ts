// Checks whether an action can run here, reported when it is loaded instead of during a login. A static check of the text, no
// security boundary: what it misses fails in the sandbox, with the effect of the action's own setting.
import { compileFunction } from 'node:vm'
import { ABSENT, PRESENT } from '../platform/names'
import { TRIGGERS, type TriggerName } from '../trigger'
import { HANDLERS, methodNames } from './methods'

export type Checked = { code: string; trigger: TriggerName; dependencies: readonly string[] }

export const isTrigger = (id: string): id is TriggerName => (TRIGGERS as readonly string[]).includes(id)

/** The syntax error of the code; the code is compiled, not run. */
export function syntaxProblem(code: string): string | null {
  try {
    compileFunction(code, ['exports', 'module', 'require', 'console'], { filename: 'code' })
    return null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const line = /^code:(\d+)/.exec(error.stack ?? '')?.[1]
    return `is no JavaScript: ${error.message}${line === undefined ? '' : ` (line ${line})`}`
  }
}

/** Names what the action needs and this server lacks; null if it can run. */
export function whyNotRunnable({ code, trigger, dependencies }: Checked): string | null {
  const packages = dependencies.filter((name) => !PRESENT.includes(name))
  if (packages.length > 0) return `needs npm packages (${packages.join(', ')}), which actions do not have`
  const spoken = withoutComments(code)
  const lacking = modulesIn(spoken).flatMap((name) => {
    const why = whyAbsent(name)
    return why === null ? [] : [`${name} (${why})`]
  })
  if (lacking.length > 0) return `requires ${lacking.join(', ')}`
  const missing = missingCalls(withoutTexts(spoken), trigger)
  if (missing.length > 0) return `asks for ${missing.join(', ')}, which there is not at ${trigger}`
  return spoken.includes(HANDLERS[trigger]) ? null : `exports no ${HANDLERS[trigger]}`
}

const modulesIn = (code: string): string[] => [
  ...new Set([...code.matchAll(/\brequire\s*\(\s*['"`]([^'"`]*)/g)].map(([, name = '']) => name)),
]

/** Null for a module that actions have. */
function whyAbsent(name: string): string | null {
  const bare = name.replace(/^node:/, '')
  if (PRESENT.includes(bare)) return null
  return (ABSENT as Readonly<Record<string, string>>)[bare] ?? 'it is no module of Node.js that actions have'
}

/** Calls on `api`, under its conventional name. */
function missingCalls(code: string, trigger: TriggerName): string[] {
  const names = methodNames(trigger)
  const calls = [...code.matchAll(/(?<![.\w$])api\s*\??\.\s*(\w+)(?:\s*\??\.\s*(\w+))?/g)]
  const called = calls.map(([, space = '', method]) => ({
    space,
    call: method === undefined ? null : `${space}.${method}`,
  }))
  const missing = called.filter(({ space, call }) =>
    call === null ? !names.some((name) => name.startsWith(`${space}.`)) : !names.includes(call),
  )
  return [...new Set(missing.map(({ space, call }) => `api.${call ?? space}`))]
}

const TEXT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
const COMMENT_OR_TEXT = new RegExp(`//.*|/\\*[\\s\\S]*?\\*/|${TEXT.source}`, 'g')

const withoutComments = (code: string): string =>
  code.replace(COMMENT_OR_TEXT, (found) => (found.startsWith('/') ? ' ' : found))

const withoutTexts = (code: string): string => code.replace(TEXT, "''")
