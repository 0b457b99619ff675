'use server'
// The only server actions: every form of the console posts to the first, an invitation to the second.
import { acceptInvitation } from '../../../lib/next/console/join'
import { type FormState, submitForm } from '../../../lib/next/console/submit'

export async function submit(_before: FormState, form: FormData): Promise<FormState> {
  return submitForm(form)
}

export async function accept(form: FormData): Promise<void> {
  await acceptInvitation(String(form.get('ticket') ?? ''))
}
