import { describe, expect, it } from 'vitest'
import { placeOf } from './place'

const at = (...frames: string[]) => frames.map((each) => `    at ${each}\n`).join('')

describe('the place of an error', () => {
  it.each([
    [
      'the first one',
      at('f (Mine.js:2:3)', '<anonymous> (Mine.js:9:1)', 'start (latchkey/guest.js:1:2)'),
      'Mine.js:2:3',
    ],
    [
      'of a package, with the place that led there',
      at('get (lodash/get.js:4:5)', 'map (native)', '<anonymous> (Mine.js:9:1)'),
      'lodash/get.js:4:5, from Mine.js:9:1',
    ],
    ['of a package alone', at('get (@a/b/c.js:4:5)', 'map (native)'), '@a/b/c.js:4:5'],
    ['without what surrounds the action', at('URL (latchkey/platform.js:1:9)', 'f (Mine.js:2:3)'), 'Mine.js:2:3'],
    ['without the column of what could not be read', at('Mine.js:2:67'), 'Mine.js:2'],
    ['not in a text that was evaluated', at('<anonymous> (<input>:1:9)', 'f (Mine.js:2:3)'), 'Mine.js:2:3'],
    ['none', at('start (latchkey/guest.js:1:2)', 'map (native)'), undefined],
  ])('the place of an error is found: %s', (_, stack, place) => {
    expect(placeOf(stack, 'Mine.js')).toBe(place)
  })
})
