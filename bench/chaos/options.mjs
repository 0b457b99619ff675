// Command-line options. The default is every fault, a quarter of a minute each.
import { parseArgs } from 'node:util'
import { FAULTS } from './faults.mjs'

const HELP = `npm run chaos -- [options]
  --seconds N     of each fault, half of them with the harm in place (default 16)
  --faults a,b    only these: ${FAULTS.map(({ key }) => key).join(', ')}
  --write         put the table into docs/reliability.md
  --built         take the build as it is`

function refuse(reason) {
  console.error(`${reason}\n\n${HELP}`)
  process.exit(1)
}

function parse(args) {
  const options = {
    seconds: { type: 'string', default: '16' },
    faults: { type: 'string' },
    write: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  }
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    return refuse(error.message)
  }
}

function chosen(keys) {
  if (keys === undefined) return FAULTS
  return keys.split(',').map((key) => FAULTS.find((fault) => fault.key === key.trim()) ?? refuse(`no fault "${key}"`))
}

export function readOptions(args) {
  const values = parse(args)
  if (values.help) {
    console.log(HELP)
    process.exit(0)
  }
  const seconds = Number(values.seconds)
  if (!(seconds >= 4 && seconds <= 60)) refuse('--seconds takes a number from 4 to 60')
  return { seconds, faults: chosen(values.faults), write: values.write, built: values.built }
}
