// Reads a page of docs/quickstarts: its files, commands and outputs, in the order in which a reader comes to them.
//   a line with a name in backticks alone, before a block: the block is this file
//   ```sh           commands typed in the folder of the application
//   ```sh server    a command that goes on running there
//   ```sh latchkey  the command that starts Latchkey in its own folder
//   ```json output  what the commands above print; any language
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Step =
  | { kind: 'file'; name: string; text: string }
  | { kind: 'commands' | 'server' | 'latchkey' | 'output'; text: string }

export type Quickstart = {
  name: string
  text: string
  title: string
  sections: string[]
  steps: Step[]
  /** A block that is neither a file, nor commands or their output. */
  unread: string[]
}

export const FOLDER = fileURLToPath(new URL('../../docs/quickstarts/', import.meta.url))

export const QUICKSTARTS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .map((file) => file.slice(0, -'.md'.length))
  .sort()

const BLOCK = /(?:^`([^`\n]+)`\n\n)?^```(\S*) ?(.*)\n([\s\S]*?\n)```$/gm
const KINDS = { '': 'commands', server: 'server', latchkey: 'latchkey' } as const

/** `rewrite` changes the text of the page: the folders, ports or programs of one's own. */
export const readQuickstart = (name: string, rewrite = (text: string) => text): Quickstart =>
  parseQuickstart(name, rewrite(readFileSync(`${FOLDER}${name}.md`, 'utf8')))

export function parseQuickstart(name: string, text: string): Quickstart {
  const steps: Step[] = []
  const unread: string[] = []
  for (const [, file, language, word = '', content = ''] of text.matchAll(BLOCK)) {
    if (file !== undefined) steps.push({ kind: 'file', name: file, text: content })
    else if (word === 'output') steps.push({ kind: 'output', text: content })
    else if (language === 'sh' && isKind(word)) steps.push({ kind: KINDS[word], text: content })
    else unread.push(content)
  }
  const prose = text.replaceAll(BLOCK, '')
  const [title = ''] = [...prose.matchAll(/^# (.+)$/gm)].map(([, heading]) => heading ?? '')
  const sections = [...prose.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? '')
  return { name, text, title, sections, steps, unread }
}

/** The page of the API that the applications call. */
export const ORDERS_API = 'express-oauth2-jwt-bearer'

/** A page says so if its packages or programs cannot be had where it is checked. */
export const isRun = ({ text }: Quickstart): boolean => !text.includes('Not run')

/** Whether the application calls the API of another page. */
export const callsOrdersApi = ({ text }: Quickstart): boolean => text.includes(`(${ORDERS_API}.md)`)

/** Where a person opens the application; an API has no such address. */
export const addressOf = ({ text }: Quickstart): string | undefined => /Open <(http:[^>]+)>/.exec(text)?.[1]

/** The packages from the npm registry, as the page writes them: `express@5`. */
export const packagesOf = ({ steps }: Quickstart): string[] =>
  steps
    .filter(({ kind }) => kind === 'commands')
    .flatMap(({ text }) => [...text.matchAll(NPM_INSTALL)])
    .flatMap(([, list = '']) => list.split(' ').filter((word) => !word.startsWith('-')))

export const NPM_INSTALL = /^npm install (.+)$/gm

const isKind = (word: string): word is keyof typeof KINDS => word in KINDS

export function fileOf({ name, steps }: Quickstart, wanted: string): string {
  for (const step of steps) if (step.kind === 'file' && step.name === wanted) return step.text
  throw new Error(`docs/quickstarts/${name}.md has no file ${wanted}`)
}

export function stepOf({ name, steps }: Quickstart, wanted: Step['kind']): string {
  const found = steps.find(({ kind }) => kind === wanted)
  if (!found) throw new Error(`docs/quickstarts/${name}.md has no block of kind ${wanted}`)
  return found.text
}
