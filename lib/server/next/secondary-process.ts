// Whether this is the secondary process, in which Next runs under the Node adapter (lib/server/node/next-process.ts). Its parent
// migrates the database, sends deliveries, and states the client address of each request.
const SECONDARY_PROCESS = Symbol.for('latchkey.secondary-process')

export const standBehind = (): void => void Reflect.set(globalThis, SECONDARY_PROCESS, true)

export const isSecondaryProcess = (): boolean => Reflect.get(globalThis, SECONDARY_PROCESS) === true
