import { expect, it } from 'vitest'
import { LEFT_OUT, lineOf } from './step'

const RUN = 'A1b2'.repeat(12)

it.each([
  [
    'http://localhost:4999/7b65dc0e-3ed6-41e1-b565-53f11bf3708d',
    'http://localhost:4999/7b65dc0e-3ed6-41e1-b565-53f11bf3708d',
  ],
  ['https://shop.example/a/callback is not registered', 'https://shop.example/a/callback is not registered'],
  [`a ${RUN} b`, `a ${LEFT_OUT} b`],
  [`https://shop.example/reset/${RUN}`, `https://shop.example/reset/${LEFT_OUT}`],
  [`https://shop.example/cb?code=${RUN}`, `https://shop.example/cb?${LEFT_OUT}`],
  [`https://shop.example/cb#id_token=${RUN}.${RUN}.${RUN}`, `https://shop.example/cb#${LEFT_OUT}`],
  [`${RUN}.${RUN}.${RUN}`, LEFT_OUT],
])('of %s, a line has the addresses and no secret', (text, shown) => {
  expect(lineOf('redirect_uri', 'ok', { value: text }).value).toBe(shown)
})
