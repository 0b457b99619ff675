// Whether this process is the one in which Next runs behind the fast door (lib/node/next-process.ts). Then its parent has
// brought the database up to date, sends what is to be sent, and has said of each request whose it is.
const BEHIND = Symbol.for('latchkey.behind-the-fast-door')

export const standBehind = (): void => void Reflect.set(globalThis, BEHIND, true)

export const isBehind = (): boolean => Reflect.get(globalThis, BEHIND) === true
