'use server'
// The only server actions: every form of the console posts to the first, invitations and the colours to the others. Anyone can call
// them, with arguments of any type.
import { formIn, textIn } from '../../../lib/next/console/form'
import { type AccountState, acceptInvitation, makeAccount } from '../../../lib/next/console/join'
import { type FormState, submitForm } from '../../../lib/next/console/submit'
import { keepTheme } from '../../../lib/next/console/theme'

export async function submit(_before: FormState, sent: FormData): Promise<FormState> {
  return submitForm(formIn(sent))
}

export async function accept(sent: FormData): Promise<void> {
  await acceptInvitation(textIn(formIn(sent), 'ticket'))
}

export async function makeFirst(_before: AccountState, sent: FormData): Promise<AccountState> {
  const form = formIn(sent)
  return makeAccount(textIn(form, 'ticket'), textIn(form, 'email').trim(), textIn(form, 'password'))
}

export async function chooseTheme(sent: FormData): Promise<void> {
  await keepTheme(textIn(formIn(sent), 'theme'))
}
