import type { MailTexts } from './index'

export const en: MailTexts = {
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  fallback: 'If the button does not work, copy this address into your browser:',
  help: 'Get help',
  footer: (tenant) => `${tenant} sent this because of activity on your account. Replies to this address are not read.`,
  address: 'Network address',
  blocked_account: (tenant) => ({
    subject: `${tenant}: we paused sign-in to your account`,
    preview: 'There were too many failed sign-in attempts.',
    title: 'We paused sign-in to your account',
    lead: `There were too many failed attempts to sign in to your ${tenant} account. Someone may be guessing your password, so we stopped accepting attempts from the network address below.`,
    intro:
      'If it was you, you can unlock your account now. The link opens a page with a button; nothing happens until you press it.',
    action: 'Unlock my account',
    closing:
      'If it was not you, there is nothing you have to do: the pause protects you. Make sure that you use this password nowhere else.',
  }),
  verify_email: (tenant) => ({
    subject: `${tenant}: verify your e-mail address`,
    preview: 'Please confirm that this address is yours.',
    title: 'Verify your e-mail address',
    lead: `An account at ${tenant} was made with this e-mail address.`,
    intro:
      'If it was you, confirm that the address is yours. The link opens a page with a button and works for five days.',
    action: 'Verify my address',
    closing: 'If it was not you, ignore this message. The address stays unverified.',
  }),
  reset_password: (tenant) => ({
    subject: `${tenant}: reset your password`,
    preview: 'Here is the link to choose a new password.',
    title: 'Reset your password',
    lead: `Somebody asked to reset the password of your ${tenant} account.`,
    intro:
      'If it was you, choose a new password now. The link works once, for one hour. You will be signed out everywhere.',
    action: 'Choose a new password',
    closing: 'If it was not you, ignore this message. Your password stays as it is.',
  }),
  already_registered: (tenant) => ({
    subject: `${tenant}: you already have an account`,
    preview: 'Somebody tried to sign up with your address.',
    title: 'You already have an account',
    lead: `Somebody tried to sign up at ${tenant} with this e-mail address, which already has an account. No second one was made.`,
    closing:
      'If it was you, sign in with the password you have. If you do not remember it, choose “Forgot your password?” on the sign-in page. If it was not you, there is nothing you have to do.',
  }),
  password_changed: (tenant) => ({
    subject: `${tenant}: your password was changed`,
    preview: 'The password of your account was just changed.',
    title: 'Your password was changed',
    lead: `The password of your ${tenant} account was just changed, and you were signed out everywhere.`,
    closing:
      'If it was you, there is nothing else to do: sign in with the new password. If it was not you, reset your password at once from the sign-in page, and make sure that nobody else can read your e-mail.',
  }),
  code: 'Code',
  login_code: (tenant) => ({
    subject: `${tenant}: your sign-in code`,
    preview: 'Enter this code to sign in.',
    title: 'Your sign-in code',
    lead: `Enter this code where you are signing in to ${tenant}. It is good for a few minutes and works once.`,
    closing:
      'If you did not want to sign in, ignore this message, and tell the code to nobody: nobody of ours will ever ask for it.',
  }),
  login_link: (tenant) => ({
    subject: `${tenant}: your sign-in link`,
    preview: 'Here is your link to sign in.',
    title: `Sign in to ${tenant}`,
    lead: `Somebody wants to sign in to ${tenant} with this e-mail address.`,
    intro: 'If it was you, go on here. The link opens a page with a button, works once and for a few minutes.',
    action: 'Sign in',
    closing: 'If it was not you, ignore this message. Nobody gets in without this link.',
  }),
  organization: 'Organization',
  invited_by: 'Invited by',
  invitation: (tenant) => ({
    subject: `${tenant}: you are invited`,
    preview: 'Somebody invited you to an organization.',
    title: 'You are invited',
    lead: `Somebody invited you to join an organization that uses ${tenant}.`,
    intro: 'To accept, go on here. The link works once and for a limited time.',
    action: 'Accept the invitation',
    closing: 'If you do not know who this is, ignore this message. Nothing happens without you.',
  }),
  text_message: (code, tenant) => `${code} is your verification code for ${tenant}. Tell it to nobody.`,
  call: (code, tenant) => `Your verification code for ${tenant} is: ${code}. Once more: ${code}.`,
}
