// Loaded before an instance (--require): the first SIGUSR2 steps its wall clock back by an hour, the next one corrects it. The
// product has no such switch, and a step of the machine's clock would affect other processes.
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
