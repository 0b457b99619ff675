import { expect, it } from 'vitest'
import { mergedSketch, peopleIn, SKETCH_BYTES, sketchOf } from './sketch'

const people = (from: number, until: number): string[] =>
  Array.from({ length: until - from }, (_, place) => `auth0|${from + place}`)

it.each([0, 1, 2, 10, 50, 100])('%i people are counted nearly exactly', (count) => {
  expect(Math.abs(peopleIn(sketchOf(people(0, count))) - count)).toBeLessThanOrEqual(Math.max(1, count * 0.1))
})

it.each([1000, 20_000, 200_000])('%i people are counted within a fifth', (count) => {
  expect(Math.abs(peopleIn(sketchOf(people(0, count))) - count) / count).toBeLessThan(0.2)
})

it('who comes twice is one', () => {
  expect(peopleIn(sketchOf([...people(0, 20), ...people(0, 20)]))).toBe(peopleIn(sketchOf(people(0, 20))))
})

it('two sketches are those of both', () => {
  const merged = mergedSketch([sketchOf(people(0, 300)), sketchOf(people(200, 500))])
  expect(merged).toEqual(sketchOf(people(0, 500)))
  expect(mergedSketch([])).toHaveLength(SKETCH_BYTES)
})
