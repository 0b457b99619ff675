// The catalogue of settings as .env.example, as the table in the README, and as the list of `npm run doctor`.
import { SETTING_GROUPS, type Setting } from './catalogue'
import { bareValue, givenVariables } from './delivered'
import { mayHoldSecret, type VariableName, variables } from './env'

const WIDTH = 120

const HEAD = `Every setting of the server, in groups; the first one is what production needs. Copy to .env (read by \`npm start\`, \`npm run dev\` and the commands) or set them in the environment, which has priority. A commented line shows the default or an example. No setting is required to try the server.
Switches take 0 or 1 (or false, true). NAME_FILE names a file with the value, where that may hold a secret (docs/runbook.md, "Containers").`

export function envExample(): string {
  const blocks = SETTING_GROUPS.flatMap(({ title, settings }) => [
    `# ${`--- ${title} `.padEnd(WIDTH - 2, '-')}`,
    ...settings.map((setting) => {
      const { name, see, example = defaultOf(name) ?? '' } = setting
      const text = [plain(setting.says), ...unsetSentence(setting), ...(see ? [`(${see})`] : [])].join(' ')
      return `${commented(text)}\n# ${name}=${example}`
    }),
  ])
  return `${[HEAD.split('\n').map(commented).join('\n'), ...blocks].join('\n\n')}\n`
}

const unsetSentence = ({ unset }: Setting): string[] => (unset === undefined ? [] : [`Not set: ${plain(unset)}.`])

/** One table, so that a name is found by scrolling once. */
export function settingsTable(): string {
  const rows = SETTING_GROUPS.flatMap(({ title, settings }) => [
    `| **${title}** | | |`,
    ...settings.map(({ name, says, unset, see }) => {
      const code = defaultOf(name)
      const link = see ? ` [More](${see})` : ''
      return `| \`${name}\` | ${code === undefined ? (unset ?? '') : `\`${code}\``} | ${says}${link} |`
    }),
  ])
  return `| Variable | Not set | Purpose |\n|---|---|---|\n${rows.join('\n')}\n`
}

/** Which settings a process has: secrets only as set, others with their value. */
export function listSettings(source: Readonly<Record<string, string | undefined>>): string[] {
  const given = givenVariables(source)
  return SETTING_GROUPS.flatMap(({ title, settings }) => [
    title,
    ...settings.map((setting) => `    ${setting.name.padEnd(LONGEST)}  ${stateOf(setting, given)}`),
    '',
  ])
}

const LONGEST = Math.max(...SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ name }) => name.length)))

function stateOf({ name, unset }: Setting, given: Readonly<Record<string, string>>): string {
  const value = given[name]
  if (value === undefined) {
    if (given[`${name}_FILE`] !== undefined) return `set by ${name}_FILE`
    const code = defaultOf(name)
    return code === undefined ? `not set${unset ? `: ${plain(unset)}` : ''}` : `${code} (default)`
  }
  // Without control characters, which a terminal would interpret.
  return mayHoldSecret(name) || hasCredentials(value) ? 'set' : bareValue(value).replace(/\p{Cc}/gu, ' ')
}

const hasCredentials = (value: string): boolean => {
  const bare = bareValue(value)
  return URL.canParse(bare) && (new URL(bare).username !== '' || new URL(bare).password !== '')
}

const DEFAULTS: Readonly<Record<string, unknown>> = variables.parse({})

/** As it would be written; undefined where the schema has none, or an empty one. */
function defaultOf(name: VariableName): string | undefined {
  const value = DEFAULTS[name]
  const text = typeof value === 'boolean' ? String(Number(value)) : String(value ?? '')
  return text === '' ? undefined : text
}

const plain = (text: string): string => text.replaceAll('`', '')

/** In lines of a comment that are no longer than WIDTH, unless a word is. */
function commented(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`# ${word}`)
  }
  return lines.join('\n')
}
