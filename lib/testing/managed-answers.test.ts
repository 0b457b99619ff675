import { expect, it } from 'vitest'
import { type HttpRequest, json } from '../http/message'
import { checkManagedAnswer } from './managed-answers'

type Sample = { method: string; path: string; scope?: string; body?: object; search?: string }

const ROLE = { id: 'rol_1', name: 'Editors', description: '' }

async function fault({ method, path, scope = 'read:roles create:roles', body, search = '' }: Sample, answer: object) {
  const claims = Buffer.from(JSON.stringify({ scope })).toString('base64url')
  const request = {
    method,
    path: `/api/v2${path}`,
    query: new URLSearchParams(search),
    headers: { authorization: `Bearer e30.${claims}.c2ln` },
    body: Buffer.from(body ? JSON.stringify(body) : ''),
  } as unknown as HttpRequest
  const response = json(answer as never, method === 'POST' ? 201 : 200)
  return checkManagedAnswer(request, response).then(
    () => null,
    (error: Error) => error.message.split('\n', 1)[0],
  )
}

const read = { method: 'GET', path: '/roles/rol_1' }
const list = { method: 'GET', path: '/roles' }
const make = { method: 'POST', path: '/roles', body: { name: 'Editors', colour: { dark: true } } }
const permissions = { method: 'GET', path: '/roles/rol_1/permissions' }
const summary = { method: 'GET', path: '/clients/app', scope: 'read:client_summary' }

it.each([
  ['an object', read, ROLE],
  ['the array of a list', list, [ROLE]],
  ['a list with its total', list, { start: 0, limit: 50, length: 1, total: 1, roles: [ROLE] }],
  ['a list by checkpoints', list, { roles: [ROLE], next: 'abc' }],
  ['the members that `fields` names', { ...read, search: 'fields=name' }, { name: 'Editors' }],
  ['the members that a scope opens', summary, { client_id: 'app', name: 'Shop' }],
  ['a new object with the members of its body', make, { ...ROLE, colour: { dark: true } }],
  ['an object with members of earlier bodies', read, { ...ROLE, colour: { dark: true } }],
])('takes %s', async (_, sample, answer) => {
  expect(await fault(sample, answer)).toBeNull()
})

it.each([
  ['a member of another type', read, { ...ROLE, name: 5 }, /Invalid input/],
  ['another type among chosen members', { ...read, search: 'fields=name' }, { name: 5 }, /Invalid input/],
  ['an absent member', read, { id: 'rol_1', name: 'Editors' }, /Invalid input/],
  ['absent members for a scope that opens all', { ...summary, scope: 'read:clients' }, { client_id: 'app' }, /Invalid/],
  ['a member that is not listed', permissions, [{ permission_name: 'a', colour: 'red' }], /Invalid input/],
  ['another member of a new object', make, { ...ROLE, shade: 1 }, /not as described: shade$/],
  ['another member within a list', list, { roles: [ROLE], prev: 'abc' }, /prev/],
])('refuses %s', async (_, sample, answer, message) => {
  expect(await fault(sample, answer)).toMatch(message)
})
