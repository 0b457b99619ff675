import { describe, expect, it } from 'vitest'
import { checkMessage } from './message'

const mail = { channel: 'email', to: 'ada@demo.test', subject: 'Hello', text: 'text', html: '<p>html</p>' }

describe('one recipient', () => {
  it.each(['ada@demo.test', 'ada+tag@sub.demo.test', "o'hara@demo.test", 'jürgen@exämple.test'])(
    'the recipient %s is accepted',
    (to) => {
      expect(checkMessage({ ...mail, to }).to).toBe(to)
    },
  )

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
  ])('a recipient is refused: %s', (_, to) => {
    expect(() => checkMessage({ ...mail, to })).toThrow('to must be one recipient')
  })

  it('takes E.164 numbers alone for sms and voice', () => {
    const to = (channel: string, number: string) => () => checkMessage({ ...mail, channel, to: number })
    expect(to('sms', '+4915112345678')).not.toThrow()
    expect(to('voice', '0151 12345678')).toThrow('to must be one recipient')
    expect(to('sms', '+491,+492')).toThrow('to must be one recipient')
  })
})

describe('checkMessage', () => {
  it.each(['one\r\nBcc: eve@evil.test', 'one\u2028two', 'tab\tbed'])(
    'refuses a subject of more than one line',
    (subject) => {
      expect(() => checkMessage({ ...mail, subject })).toThrow('subject must be one line')
    },
  )

  it('repeats no value of the message in its errors', () => {
    expect(() => checkMessage({ ...mail, to: 'secret\n@demo.test' })).toThrow(expect.not.stringContaining('secret'))
  })
})
