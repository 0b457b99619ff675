'use server'
// The only server actions: every form of the console posts to the first, the colours and the columns of lists to the others. Anyone can call them, with arguments
// of any type. None redirects a form that scripts sent: Next would fetch the target itself, from the public address of this server, which
// may be that of a proxy.
import { keepColumns } from '../../../lib/server/next/console/columns'
import { formIn, textIn } from '../../../lib/server/next/console/form-values'
import { type FormState, submitForm } from '../../../lib/server/next/console/submit'
import { keepTheme } from '../../../lib/server/next/console/theme'

export async function submit(_before: FormState, sent: FormData): Promise<FormState> {
  return submitForm(formIn(sent))
}

export async function chooseTheme(sent: FormData): Promise<void> {
  await keepTheme(textIn(formIn(sent), 'theme'))
}

export async function chooseColumns(sent: FormData): Promise<void> {
  const form = formIn(sent)
  const titles = form.getAll('column').filter((title) => typeof title === 'string')
  await keepColumns(textIn(form, 'list'), textIn(form, 'choose') === 'these' ? titles : [])
}
