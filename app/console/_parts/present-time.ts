/** Milliseconds since 1970, as the browser knows it: for what it keeps itself. */
export const presentTime = (): number => performance.timeOrigin + performance.now()
