// Command-line options. The default is the whole comparison.
import { parseArgs } from 'node:util'

const HELP = `npm run bench -- [options]
  --rounds N        rounds per row and side (default 9)
  --concurrency N   requests in flight (default 8)
  --scale F         multiplies the operations of every round (default 1)
  --only ours|peer  one side alone
  --rows a,b        only rows whose name contains one of these words
  --no-cold-start   leave the cold starts out
  --write           put the table into docs/performance.md
BENCH_DATABASE_URL names another PostgreSQL on this machine (a superuser) instead of the embedded one.`

const SETTINGS = {
  rounds: { type: 'string', default: '9' },
  concurrency: { type: 'string', default: '8' },
  scale: { type: 'string', default: '1' },
  only: { type: 'string' },
  rows: { type: 'string' },
  'no-cold-start': { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
}

function refuse(reason) {
  console.error(`${reason}\n\n${HELP}`)
  process.exit(1)
}

function parse(args) {
  try {
    return parseArgs({ args, options: SETTINGS }).values
  } catch (error) {
    return refuse(error.message)
  }
}

function positive(values, name) {
  const value = Number(values[name])
  return value > 0 ? value : refuse(`--${name} takes a positive number, not ${values[name]}`)
}

export function readOptions(args) {
  const values = parse(args)
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  if (values.only && !['ours', 'peer'].includes(values.only)) refuse('--only takes ours or peer')
  return {
    rounds: Math.ceil(positive(values, 'rounds')),
    concurrency: Math.ceil(positive(values, 'concurrency')),
    scale: positive(values, 'scale'),
    sides: values.only ? [values.only] : ['ours', 'peer'],
    wants: (row) => !values.rows || values.rows.split(',').some((word) => row.includes(word.trim())),
    coldStart: !values['no-cold-start'],
    write: values.write,
  }
}
