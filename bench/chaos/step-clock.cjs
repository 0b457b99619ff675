// Loaded before an instance (--require): SIGUSR2 sets its wall clock ahead by the seconds in the file CHAOS_CLOCK, negative for back.
// The product has no such switch, and a step of the machine's clock would affect other processes.
const { readFileSync } = require('node:fs')

const RealDate = Date
let aheadMs = 0

const now = () => RealDate.now() + aheadMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(process.env.CHAOS_CLOCK, 'utf8')) * 1000
})
