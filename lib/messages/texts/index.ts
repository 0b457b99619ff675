// The mails' words in every language, and what each language has to word. A missing one does not compile.
import type { Locale } from '../../pages/view'
import { ar } from './ar'
import { de } from './de'
import { en } from './en'
import { es } from './es'
import { fr } from './fr'
import { ja } from './ja'
import { pt } from './pt'

export type MailTexts = {
  greeting(name: string | undefined): string
  /** Stands above the address in full, for programs that do not show the button. */
  fallback: string
  help: string
  footer(tenant: string): string
  /** Labels the network address that the mail was caused from. */
  address: string
  blocked_account(tenant: string): MailWords
  verify_email(tenant: string): MailWords
  reset_password(tenant: string): MailWords
  already_registered(tenant: string): MailWords
  password_changed(tenant: string): MailWords
  /** Labels a code. */
  code: string
  login_code(tenant: string): MailWords
  login_link(tenant: string): MailWords
  /** Label what an invitation is to, and who sent it. */
  organization: string
  invited_by: string
  invitation(tenant: string): MailWords
  /** Without the line that a browser reads. */
  text_message(code: string, tenant: string): string
  /** `code` is spelled. */
  call(code: string, tenant: string): string
}

export type MailWords = {
  subject: string
  preview: string
  title: string
  lead: string
  /** Above the button, where the mail has one. */
  intro?: string
  action?: string
  closing: string
}

export const MAIL_TEXTS: Readonly<Record<Locale, MailTexts>> = { en, de, fr, es, pt, ja, ar }
