import { describe, expect, it } from 'vitest'
import { canReceive, checkMessage } from './message'

const mail = { channel: 'email', to: 'ada@demo.test', subject: 'Hello', text: 'text', html: '<p>html</p>' }

describe('one recipient', () => {
  it.each(['ada@demo.test', 'ada+tag@sub.demo.test', "o'hara@demo.test", 'jürgen@exämple.test'])('accepts %s', (to) => {
    expect(canReceive('email', to)).toBe(true)
  })

  it.each([
    ['a list', 'ada@demo.test,eve@evil.test'],
    ['a list by semicolon', 'ada@demo.test;eve@evil.test'],
    ['a list by space', 'ada@demo.test eve@evil.test'],
    ['a header', 'ada@demo.test\r\nBcc: eve@evil.test'],
    ['a bare newline', 'ada@demo.test\nBcc:eve@evil.test'],
    ['a display name', 'Ada <ada@demo.test>'],
    ['a comment', 'ada@demo.test(eve@evil.test)'],
    ['a quoted local part', '"ada@evil.test"@demo.test'],
    ['a group', 'all:ada@demo.test'],
    ['two at signs', 'ada@evil.test@demo.test'],
    ['a reordering mark', 'ada\u202e@demo.test'],
    ['nobody', ''],
  ])('refuses %s', (_, to) => {
    expect(canReceive('email', to)).toBe(false)
    expect(() => checkMessage({ ...mail, to })).toThrow('to must be one recipient')
  })

  it('takes E.164 numbers alone for sms and voice', () => {
    expect(canReceive('sms', '+4915112345678')).toBe(true)
    expect(canReceive('voice', '0151 12345678')).toBe(false)
    expect(canReceive('sms', '+491,+492')).toBe(false)
  })
})

describe('checkMessage', () => {
  it.each(['one\r\nBcc: eve@evil.test', 'one\u2028two', 'tab\tbed'])(
    'refuses a subject of more than one line',
    (subject) => {
      expect(() => checkMessage({ ...mail, subject })).toThrow('subject must be one line')
    },
  )

  it('repeats no value of the message in what it throws', () => {
    expect(() => checkMessage({ ...mail, to: 'secret\n@demo.test' })).toThrow(expect.not.stringContaining('secret'))
  })
})
