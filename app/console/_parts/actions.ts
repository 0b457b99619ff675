'use server'
// The only server actions: every form of the console posts to the first, invitations and the colours to the others.
import { textIn } from '../../../lib/next/console/form'
import { type AccountState, acceptInvitation, makeAccount } from '../../../lib/next/console/join'
import { type FormState, submitForm } from '../../../lib/next/console/submit'
import { keepTheme } from '../../../lib/next/console/theme'

export async function submit(_before: FormState, form: FormData): Promise<FormState> {
  return submitForm(form)
}

export async function accept(form: FormData): Promise<void> {
  await acceptInvitation(textIn(form, 'ticket'))
}

export async function makeFirst(_before: AccountState, form: FormData): Promise<AccountState> {
  return makeAccount(textIn(form, 'ticket'), textIn(form, 'email').trim(), textIn(form, 'password'))
}

export async function chooseTheme(form: FormData): Promise<void> {
  await keepTheme(textIn(form, 'theme'))
}
