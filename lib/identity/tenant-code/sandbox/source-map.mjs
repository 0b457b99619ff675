// Where the code of packages comes from: places in a bundle as places in its sources (ECMA-426).

/** The names in stack traces of what is not the action's own code. Its file has no slash in its name. */
export const [GUEST_FILE, PLATFORM_FILE, PACKAGES_FILE] = [
  'latchkey/guest.js',
  'latchkey/platform.js',
  'latchkey/packages.js',
]

const PLACE = /\blatchkey\/packages\.js:(\d+):(\d+)/g

/** @param {string} stack @param {string} text the source map as JSON; nothing is known of what it does not cover */
export function traced(stack, text) {
  const { sources, mappings } = JSON.parse(text)
  const places = [...stack.matchAll(PLACE)].map(([place, line, column]) => ({ place, line: +line, column: +column }))
  const found = originsOf(places, mappings)
  return stack.replace(PLACE, (place) => {
    const origin = found.get(place)
    return origin ? `${shortened(String(sources[origin.source]))}:${origin.line}:${origin.column}` : place
  })
}

/** As it is called in `require`: without the folders that lead to it. */
const shortened = (source) =>
  source
    .split('node_modules/')
    .at(-1)
    .replace(/[^\w./@+-]/g, '_')

/**
 * The last mapping at or before each place. One pass over the mappings, which are never held as objects: a large bundle has a million.
 * @returns {Map<string, { source: number, line: number, column: number }>}
 */
function originsOf(places, mappings) {
  const found = new Map()
  const [last] = places.map(({ line }) => line).sort((a, b) => b - a)
  let [line, column, source, sourceLine, sourceColumn] = [1, 0, 0, 0, 0]
  let wanted = places.filter((each) => each.line === line)
  for (let at = 0; at < mappings.length && line <= last; ) {
    const character = mappings[at]
    if (character === ';') {
      line += 1
      column = 0
      wanted = places.filter((each) => each.line === line)
    }
    if (character === ';' || character === ',') {
      at += 1
      continue
    }
    const segment = [0, 0, 0, 0, 0]
    let fields = 0
    for (; at < mappings.length && mappings[at] !== ',' && mappings[at] !== ';'; fields += 1) {
      const read = numberAt(mappings, at)
      segment[fields] = read.value
      at = read.next
    }
    column += segment[0]
    if (fields < 4) continue
    source += segment[1]
    sourceLine += segment[2]
    sourceColumn += segment[3]
    for (const { place, column: until } of wanted)
      if (column < until) found.set(place, { source, line: sourceLine + 1, column: sourceColumn + 1 })
  }
  return found
}

const DIGITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((digit, value) => [digit, value]),
)

/** A number in base 64, least significant digit first, its sign in the lowest bit. */
function numberAt(text, start) {
  let value = 0
  let at = start
  for (let shift = 0; ; shift += 5) {
    const digit = DIGITS.get(text[at])
    if (digit === undefined || shift > 30) throw new Error('the source map cannot be read')
    value += (digit & 31) * 2 ** shift
    at += 1
    if (digit < 32) break
  }
  const half = Math.floor(value / 2)
  return { value: value % 2 === 1 ? -half : half, next: at }
}
