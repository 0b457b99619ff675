import type { MailTexts } from './index'

export const en: MailTexts = {
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  fallback: 'If the button does not work, copy this address into your browser:',
  help: 'Get help',
  footer: (tenant) => `${tenant} sent this because of activity on your account. Replies to this address are not read.`,
  blocked_account: (tenant) => ({
    subject: `${tenant}: we paused sign-in to your account`,
    preview: 'There were too many failed sign-in attempts.',
    title: 'We paused sign-in to your account',
    lead: `There were too many failed attempts to sign in to your ${tenant} account. Someone may be guessing your password, so we stopped accepting attempts from the network address below.`,
    address: 'Network address',
    intro:
      'If it was you, you can unlock your account now. The link opens a page with a button; nothing happens until you press it.',
    action: 'Unlock my account',
    closing:
      'If it was not you, there is nothing you have to do: the pause protects you. Make sure that you use this password nowhere else.',
  }),
}
