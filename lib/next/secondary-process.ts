// Whether this process is the one in which Next runs behind the fast door (lib/node/next-process.ts). Then its parent has
// brought the database up to date, sends what is to be sent, and has said of each request whose it is.
const SECONDARY_PROCESS = Symbol.for('latchkey.behind-the-fast-door')

export const standBehind = (): void => void Reflect.set(globalThis, SECONDARY_PROCESS, true)

export const isSecondaryProcess = (): boolean => Reflect.get(globalThis, SECONDARY_PROCESS) === true
