'use server'
// The only server actions: every form of the console posts to the first, invitations to the others.
import { type AccountState, acceptInvitation, makeAccount } from '../../../lib/next/console/join'
import { type FormState, submitForm } from '../../../lib/next/console/submit'

export async function submit(_before: FormState, form: FormData): Promise<FormState> {
  return submitForm(form)
}

export async function accept(form: FormData): Promise<void> {
  await acceptInvitation(String(form.get('ticket') ?? ''))
}

export async function makeFirst(_before: AccountState, form: FormData): Promise<AccountState> {
  const text = (name: string): string => String(form.get(name) ?? '')
  return makeAccount(text('ticket'), text('email').trim(), text('password'))
}
