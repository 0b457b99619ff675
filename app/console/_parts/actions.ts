'use server'
import { acceptInvitation } from '../../../lib/next/console/join'

export async function accept(form: FormData): Promise<void> {
  await acceptInvitation(String(form.get('ticket') ?? ''))
}
