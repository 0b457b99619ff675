import { describe, expect, it } from 'vitest'
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

describe('the web origins of a new single-page application', () => {
  const form = (values: Readonly<Record<string, string>>) =>
    bodyOf(posted({ _body: '{"app_type":"spa"}', _proposes: 'web_origins', ...values }))

  it('the web origins of a new single-page application are the origins of its callbacks, once each, where the person gives none', () => {
    const callbacks = 'http://localhost:5173\nhttp://localhost:5173/cb\nhttps://app.example/cb\ncom.example.app:/cb'
    expect(form({ 'lines:callbacks': callbacks, 'lines:web_origins': '' })).toMatchObject({
      web_origins: ['http://localhost:5173', 'https://app.example'],
    })
  })

  it('are those that the person names', () => {
    const named = { 'lines:callbacks': 'http://localhost:5173', 'lines:web_origins': 'https://other.example' }
    expect(form(named)).toMatchObject({ web_origins: ['https://other.example'] })
  })

  it('are absent without a callback of the web, and in every other form', () => {
    expect(form({ 'lines:callbacks': 'com.example.app:/cb' })).not.toHaveProperty('web_origins')
    expect(bodyOf(posted({ 'lines:callbacks': 'http://localhost:5173' }))).not.toHaveProperty('web_origins')
  })
})
