// The place that an error of an action names.

/** What surrounds the code of an action, and code that was evaluated from a text. */
const OURS = ['latchkey/guest.js', 'latchkey/platform.js', '<input>']

/** Where an error was thrown, and in a package also which place of the action led to it. */
export function placeOf(stack: string, file: string): string | undefined {
  const places = [...stack.matchAll(/([^\s()]+):(\d+):(\d+)(\)?)/g)]
    .filter(([, name = '']) => !OURS.includes(name))
    // The interpreter does not know the column of what it cannot read.
    .map(([, name, line, column, isCall]) => `${name}:${line}${isCall ? `:${column}` : ''}`)
  const own = places.find((each) => each.startsWith(`${file}:`))
  return places[0] === own || own === undefined ? places[0] : `${places[0]}, from ${own}`
}
