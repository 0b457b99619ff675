// Command-line options.
import { parseArgs } from 'node:util'

const HELP = `npm run soak -- [options]
  --minutes N   how long (default 30; below ten the slopes say little)
  --write       put the table into docs/reliability.md
  --built       take the build as it is`

function refuse(reason) {
  console.error(`${reason}\n\n${HELP}`)
  process.exit(1)
}

export function readOptions(args) {
  const options = {
    minutes: { type: 'string', default: '30' },
    write: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  }
  let values
  try {
    values = parseArgs({ args, options }).values
  } catch (error) {
    refuse(error.message)
  }
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  const minutes = Number(values.minutes)
  if (!(minutes >= 1)) refuse('--minutes takes a number from 1')
  return { ...values, minutes }
}
