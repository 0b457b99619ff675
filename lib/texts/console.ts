/**
 * The texts of the console, in English alone. Another language is another object with these keys.
 *
 * `label` and `help` belong to members of the Management API's objects; a member without one has a label made of its name.
 */
const texts = {
  'app.name': 'Console',
  'app.skip': 'Skip to the content',
  'app.menu': 'Menu',
  'app.sections': 'Sections',
  'app.sign_out': 'Sign out',
  'app.account': 'Your account',
  'role.owner': 'Owner',
  'role.admin': 'Admin',
  'role.application_editor': 'Application editor',
  'role.user_support': 'User support',
  'role.auditor': 'Auditor',

  'state.forbidden.title': 'Not part of your role',
  'state.forbidden.text': 'Your role, {role}, does not include this. An owner can give you another role.',
  'state.missing.title': 'There is nothing here',
  'state.missing.text': 'It was removed, or the address is wrong.',
  'state.invalid.title': 'This request cannot be answered',
  'state.busy.title': 'The server is busy',
  'state.busy.text': 'Wait a few seconds, then load the page again.',
  'state.home': 'Go to the first page',

  'sign_in.failed.title': 'You are not signed in',
  'sign_in.failed.text': 'The sign-in was cancelled, or it took too long. Start it again.',
  'sign_in.again': 'Sign in',
  'sign_in.out.title': 'You are signed out',
  'sign_in.out.text':
    'Your session at this server has ended, here and in every application that takes part in single logout.',
  'stranger.title': 'This account does not open the console',
  'stranger.text':
    'You are signed in as {user}, who is no administrator here. Ask an owner for an invitation, or use another account.',
  'stranger.other': 'Use another account',
  'join.title': 'Become an administrator',
  'join.text': 'This invitation gives the account {user} the role {role}. It works once.',
  'join.accept': 'Accept the invitation',
  'join.sign_in.text':
    'Sign in with the account that is to manage this server. The invitation is accepted in the next step.',
  'join.void.title': 'This invitation is not valid any more',
  'join.void.text': 'It was used, it has expired, or it is for another address. Ask for a new one.',

  'list.search': 'Search',
  'list.find': 'Find',
  'list.clear': 'Show all',
  'list.empty.title': 'Nothing here yet',
  'list.empty.found': 'Nothing matches “{query}”.',
  'list.range': '{from} to {to} of {total}',
  'list.previous': 'Previous',
  'list.next': 'Next',
  'list.pages': 'Pages of the list',

  'form.save': 'Save',
  'form.saved': 'Saved.',
  'form.done': 'Done.',
  'form.created': 'Created.',
  'form.deleted': 'Deleted.',
  'form.working': 'Working…',
  'form.optional': 'optional',
  'form.lines': 'One per line.',
  'form.none': 'Not set',
  'form.error': 'Please check this first',
  'form.stale':
    'Somebody else changed this since you opened it. Load the page again to see the present values; then make your change.',
  'form.reload': 'Load again',
  'form.step_up': 'For this step, please prove again that it is you. Your last sign-in is more than ten minutes ago.',
  'form.step_up.go': 'Sign in again',
  'form.confirm': 'Type {word} to confirm',
  'form.confirm.wrong': 'What you typed is different.',
  'form.secret': 'Copy this now. It is not shown again.',
  'form.copy': 'Copy',
  'form.copied': 'Copied',
  'form.readonly': 'Your role may look at this, and not change it.',
  'form.delete': 'Delete',
  'form.create': 'Create',
  'form.cancel': 'Cancel',
  'value.yes': 'Yes',
  'value.no': 'No',
  'value.none': '—',
  'value.never': 'never',

  'home.title': 'Home',
  'home.lead': 'What needs attention, and what happened lately.',
  'applications.title': 'Applications',
  'users.title': 'Users',
} as const

type Texts = typeof texts
export type ConsoleKey = keyof Texts

/** The text of a key, with values in place of `{name}`. Values are text: React escapes them. */
export const say = (key: ConsoleKey, values: Readonly<Record<string, string>> = {}): string =>
  texts[key].replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '')
