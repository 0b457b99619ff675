// Loaded before an instance (--require): its wall clock steps an hour back at the first SIGUSR2, and to the right time at the next. The
// product has no such switch; a step of the machine's own clock would hit whoever else runs on it.
const STEP_MS = 3_600_000
const RealDate = Date
let behind = 0

const now = () => RealDate.now() - behind

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
process.on('SIGUSR2', () => {
  behind = behind === 0 ? STEP_MS : 0
})
