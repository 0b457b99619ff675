import { expect, it } from 'vitest'
import { bodyOf } from './submit'

function posted(values: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  return form
}

it('is what the form fixes, with what a person changed', () => {
  const form = posted({
    _body: '{"user_id":"auth0|1"}',
    _was: '{"text:name":"Kim"}',
    'text:name': 'Ann',
    'text:nickname': 'A',
  })
  expect(bodyOf(form)).toEqual({ user_id: 'auth0|1', name: 'Ann', nickname: 'A' })
})

it.each([
  ['["all-applications"]', ['all-applications']],
  ['[]', []],
])('is the list %s that the form fixes, without anything else', (list, body) => {
  expect(bodyOf(posted({ _body: list, 'text:name': 'Ann' }))).toEqual(body)
})

it.each(['{', '1', '"text"', 'null'])('is empty where %s was put in place of what the form fixes', (text) => {
  expect(bodyOf(posted({ _body: text }))).toEqual({})
})
