import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { InboxMessage } from '../../../lib/data/outbox/inbox'
import { CHANNELS } from '../../../lib/data/outbox/message'
import { MessageList } from './message-list'

const message = (members: Partial<InboxMessage>): InboxMessage => ({
  id: '1',
  channel: 'email',
  to: 'ada@demo.test',
  subject: 'A subject',
  text: 'text',
  html: '',
  link: null,
  code: null,
  created_at: '2027-01-15T08:00:00.000Z',
  ...members,
})

const listed = (members: Partial<InboxMessage>): string =>
  renderToStaticMarkup(createElement(MessageList, { messages: [message(members)], shown: undefined, to: undefined }))

it.each(CHANNELS)('shows the code and the link of a message by %s in the list', (channel) => {
  expect(listed({ channel, code: '012345' })).toContain('>012345</code>')
  const link = 'https://id.test/u/verify-email?ticket=t&x=1'
  expect(listed({ channel, link })).toContain(`href="${link.replace('&', '&amp;')}"`)
})

it('has a button to copy each, which stays hidden until the page has its script', () => {
  const both = listed({ code: '012345', link: 'https://id.test/u/unblock?ticket=t' })
  const buttons = both.match(/<button[^>]*>/g) ?? []
  expect(buttons).toHaveLength(2)
  for (const button of buttons) expect(button).toContain('hidden=""')
  expect(both).toContain('aria-label="Copy the code for ada@demo.test"')
  expect(both).toContain('aria-label="Copy the link for ada@demo.test"')
})

it('shows nothing more of a message that has neither, or a link that no browser should open', () => {
  expect(listed({})).not.toContain('letter-way')
  expect(listed({ link: 'javascript:alert(1)' })).not.toContain('letter-way')
})
