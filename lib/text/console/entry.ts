/** The texts of the way into the console. */
export const entry = {
  'sign_in.failed.title': 'You are not signed in',
  'sign_in.failed.text': 'The sign-in was cancelled, or it took too long. Start it again.',
  'sign_in.again': 'Sign in',
  'sign_in.out.title': 'You are signed out',
  'sign_in.out.text':
    'Your session at this server has ended, here and in every application that takes part in single logout.',
  'no_owner.title': 'This console has no owner yet',
  'no_owner.text': 'On the machine of the server, this command prints a link that makes its owner, once:',
  'stranger.title': 'This account does not open the console',
  'stranger.text':
    'You are signed in as {user}, who is no administrator here. Ask an owner for an invitation, or use another account.',
  'stranger.other': 'Use another account',
  'join.title': 'Become an administrator',
  'join.text': 'This invitation gives the account {user} the role {role}. It works once.',
  'join.accept': 'Accept the invitation',
  'join.sign_in.text':
    'Sign in with the account that is to manage this server. The invitation is accepted in the next step.',
  'join.make.title': 'Become the owner',
  'join.make.text':
    'This server has no owner yet. Make your account: it may do everything here. Next you set up a second step for it.',
  'join.email': 'E-mail address',
  'join.password': 'Password',
  'join.make': 'Make the account and sign in',
  'join.password.help': 'A long phrase is best. Keep it in a password manager.',
  'join.or': 'Do you have an account here? Use it instead:',
  'join.void.title': 'This invitation is not valid any more',
  'join.void.text': 'It was used, or it has expired. Ask for a new one.',
  'join.other.title': 'This invitation is for another account',
  'join.other.text':
    'You are signed in as {user}, and the invitation is for another address. Open its link again with that account.',
  'join.unconfirmed.title': 'Confirm your address first',
  'join.unconfirmed.text':
    'This invitation is for {user}, and nothing has shown yet that the address is yours. Confirm it in your account, then open the link of the invitation again.',
  'join.unconfirmed.account': 'Open your account',
} as const
