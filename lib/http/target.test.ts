import { expect, it } from 'vitest'
import { NOWHERE, originForm } from './target'

it.each([
  ['/', '/'],
  ['/authorize?redirect_uri=https://app.test//cb&x=\\', '/authorize?redirect_uri=https://app.test//cb&x=\\'],
  ['http://id.test/u/login?state=a', '/u/login?state=a'],
  ['HTTPS://ID.TEST/u/login', '/u/login'],
  ['http://id.test', '/'],
  ['http://id.test?a=1', '/?a=1'],
])('the target %s is the path %s', (target, path) => {
  expect(originForm(target, 'id.test')).toBe(path)
})

it.each([
  'http://evil.test/',
  'http://evil.test',
  'http://id.test.evil.test/',
  'http://id.test:8080/',
  'http://kim@id.test/',
  'http://id.test//evil.test/',
  '//evil.test/',
  '/u//login',
  '/\\evil.test/',
  '\\\\evil.test/',
  'evil.test:443',
  'ftp://id.test/',
  '*',
  '',
])('%j is nowhere', (target) => {
  expect(originForm(target, 'id.test')).toBe(NOWHERE)
})

it('takes no absolute target where no host was named', () => {
  expect(originForm('http://id.test/', undefined)).toBe(NOWHERE)
})
