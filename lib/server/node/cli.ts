// The commands, built into dist/cli.js: `npm run migrate|tenant|keys -- …`. Runs one command; a failure is one sentence.
import { fileURLToPath } from 'node:url'
import { outliveReader } from '../../kernel/closed-reader.mjs'
import { parseEnv } from '../../settings/env'
import { COMMANDS, USAGE } from './commands'
import { explainFailure, UsageError } from './failure'

const root = fileURLToPath(new URL('..', import.meta.url))
const [name = '', ...args] = process.argv.slice(2)

outliveReader([process.stdout, process.stderr])

try {
  const command = COMMANDS[name]
  if (!command) throw new UsageError(USAGE)
  await command(args, { root, source: process.env, say: (line) => process.stdout.write(`${line}\n`) })
} catch (error) {
  const databaseUrl = process.env.DATABASE_URL
  process.stderr.write(`${explain(error, databaseUrl)}\n`)
  process.exitCode = 1
}

function explain(error: unknown, databaseUrl: string | undefined): string {
  const sentence = explainFailure(error, safeWhere(databaseUrl))
  return sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
}

/** If the address is malformed, the error is about it: it must not be parsed again for the message. */
function safeWhere(databaseUrl: string | undefined) {
  try {
    return { databaseUrl: parseEnv(process.env).databaseUrl }
  } catch {
    return databaseUrl && URL.canParse(databaseUrl) ? { databaseUrl } : {}
  }
}
