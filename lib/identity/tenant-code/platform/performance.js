/** Whole milliseconds since the run first looked: a finer clock would measure other runs. */
export function performance() {
  let origin = 0
  const now = () => {
    const time = Date.now()
    origin ||= time
    return time - origin
  }
  return {
    performance: {
      now,
      get timeOrigin() {
        now()
        return origin
      },
      mark() {},
      measure() {},
      toJSON: () => ({}),
    },
  }
}
