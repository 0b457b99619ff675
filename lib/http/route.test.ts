import { expect, it } from 'vitest'
import { defineEndpoint, type EndpointRuntime } from './endpoint'
import { text } from './message'
import { oauthJson } from './render-errors'
import { createRouter } from './route'

const named = (name: string) =>
  defineEndpoint<EndpointRuntime>({
    name,
    limit: null,
    shed: 'last',
    refused: null,
    cors: 'none',
    errors: oauthJson,
    methods: { GET: () => text(name) },
  })

const route = createRouter({
  '/u/login': named('login'),
  '/u/:screen': named('screen'),
  '/a.b/:client/x/:name': named('two'),
  '/rest/:id': named('one'),
  '/rest/*': named('rest'),
})

it.each([
  ['/u/login', 'login', {}],
  ['/u/other', 'screen', { screen: 'other' }],
  ['/a.b/c%7C1/x/d', 'two', { client: 'c|1', name: 'd' }],
  ['/a.b/%E0%A4/x/d', 'two', { client: '%E0%A4', name: 'd' }],
  ['/rest/1', 'one', { id: '1' }],
  ['/rest/1/2/3', 'rest', {}],
  ['/a.b/__proto__/x/constructor', 'two', { client: '__proto__', name: 'constructor' }],
])('takes %s to %s', (path, name, params) => {
  const match = route(path)
  expect(match?.endpoint.name).toBe(name)
  expect(match?.params).toEqual(params)
})

it.each([
  '/',
  '',
  '/U/login',
  '/u/login/',
  '/u//',
  '/u/',
  '/aXb/c/x/d',
  '/a.b/c/x/d/e',
  '/a.b//x/d',
  '/rest/',
  '/restless/1',
  'constructor',
  '__proto__',
])('takes %s nowhere', (path) => {
  expect(route(path)).toBeNull()
})
