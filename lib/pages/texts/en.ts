/** English: the catalogue every other language is measured against. ICU MessageFormat; apostrophes are typographic. */
export const en = {
  'common.cancel': 'Cancel',
  'common.signed_in_as': 'Signed in as {user}',
  'common.reference': 'Reference',
  'common.details': 'Details for whoever runs the app',
  'common.help': 'Get help',
  'common.restart': 'Start again',
  'common.back': 'Go back to the app',
  'common.continue': 'Continue',

  'title.error': 'Error: {title}',
  'notice.heading': 'Please check this first',
  'notice.wrong_credentials': 'These details don’t match any account. Check them and try again.',
  'notice.too_many_attempts':
    'We paused sign-in after too many failed attempts. If this account is yours, look for our email with a link to unlock it, or try again later.',
  'notice.missing_identifier':
    '{kind, select, email {Enter your email address.} username {Enter your username.} other {Enter your email address or username.}}',
  'notice.missing_password': 'Enter your password.',
  'notice.missing_credentials': 'Fill in both fields to sign in.',
  'notice.session_changed': 'Something changed in another tab. Check that this is still what you want, then continue.',
  'notice.reauthentication': 'To keep your account safe, please sign in once more.',

  'login.title': 'Sign in',
  'login.lead': 'to continue to {client}',
  'login.identifier': '{kind, select, email {Email address} username {Username} other {Email or username}}',
  'login.password': 'Password',
  'login.show_password': 'Show',
  'login.hide_password': 'Hide',
  'login.show_password_label': 'Show password',
  'login.hide_password_label': 'Hide password',
  'login.caps_lock': 'Caps Lock is on.',
  'login.submit': 'Sign in',
  'login.forgot': 'Forgot your password?',
  'login.no_account': 'New here?',
  'login.sign_up': 'Create an account',

  'account.title': 'Choose an account',
  'account.title_one': 'Welcome back',
  'account.lead': 'to continue to {client}',
  'account.list': 'Accounts signed in on this browser',
  'account.continue': 'Continue',
  'account.continue_as': 'Continue as {user}',
  'account.switch': 'Use another account',

  'consent.title': '{client} asks for access',
  'consent.lead': 'Decide what it may know and do on your behalf.',
  'consent.third_party': '{client} is not run by {tenant}. Allow this only if you trust it.',
  'consent.list_profile': 'It will be able to',
  'consent.list_api': 'In {api}, it will be able to',
  'consent.accept': 'Allow',
  'consent.deny': 'Don’t allow',
  'consent.homepage': 'About {client}',
  'scope.openid': 'Recognise you when you come back',
  'scope.profile': 'See your name and profile picture',
  'scope.email': 'See your email address',
  'scope.phone': 'See your phone number',
  'scope.address': 'See your postal address',
  'scope.offline_access': 'Keep its access while you’re away',

  'logged_out.title': 'You’re signed out',
  'logged_out.body': 'On a shared computer, close this window as well.',
  'logged_out.return': 'Back to the app',
  'confirm_logout.title': 'Sign out?',
  'confirm_logout.body': 'You’ll be signed out of {tenant} on this browser.',
  'confirm_logout.body_client': '{client} wants to sign you out of {tenant} on this browser.',
  'confirm_logout.submit': 'Sign out',
  'confirm_logout.stay': 'Stay signed in',

  'unblock.title': 'Unlock your account',
  'unblock.body':
    'We paused sign-in after several wrong passwords. If those were you, unlock your account and try again.',
  'unblock.submit': 'Unlock my account',
  'unblock.done_title': 'Your account is unlocked',
  'unblock.done_body': 'Go back to the app and sign in. If you’re unsure about your password, reset it.',

  'error.unknown_client.title': 'We don’t know this app',
  'error.unknown_client.body':
    'The link you followed names an app that isn’t registered here. Go back to the app and try again. If that doesn’t help, tell the people who run it.',
  'error.callback_mismatch.title': 'This return address isn’t allowed',
  'error.callback_mismatch.body':
    'The app asked us to send you to an address it hasn’t registered, so we stopped. Nothing was shared. Whoever runs the app can add the address to its allowed callback URLs.',
  'error.invalid_request.title': 'We can’t read this request',
  'error.invalid_request.body':
    'The app sent something incomplete or contradictory. Go back to the app and start again. If that doesn’t help, tell the people who run it.',
  'error.expired_transaction.title': 'This sign-in has expired',
  'error.expired_transaction.body':
    'For your safety, a sign-in page only stays valid for a while. Go back to the app and start again. Nothing is lost.',
  'error.finished_transaction.title': 'This sign-in is already finished',
  'error.finished_transaction.body':
    'The page was used before, perhaps in another tab. Go back to the app. You may be signed in already.',
  'error.cookies_off.title': 'Your browser is blocking cookies',
  'error.cookies_off.body':
    'We need a cookie to tie this sign-in to your browser. Allow cookies for this site, then go back to the app and start again.',
  'error.other_browser.title': 'This sign-in began in another browser',
  'error.other_browser.body':
    'For your safety it can only be finished where it began. Go back to that browser, or start again here.',
  'error.bookmarked.title': 'Start from the app you want to use',
  'error.bookmarked.body':
    'This page only works when an app sends you here. Open the app and choose to sign in there. Better to bookmark the app than this page.',
  'error.logout_url.title': 'We can’t send you on from here',
  'error.logout_url.body':
    'The address to go to after signing out isn’t registered, so we stopped. Whoever runs the app can add it to its allowed logout URLs.',
  'error.link_expired.title': 'This link no longer works',
  'error.link_expired.body':
    'It has expired or was used before. Ask for a new one, and use the latest message you received.',
  'error.access_denied.title': 'You don’t have access',
  'error.access_denied.body':
    'Your account isn’t allowed to use this. If you think it should be, ask the people who run the app.',
  'error.connection_unavailable.title': 'This way of signing in is unavailable',
  'error.connection_unavailable.body':
    'The app asked for a way of signing in that isn’t switched on for it. Go back and try another.',
  'error.method_not_allowed.title': 'This page can’t be opened that way',
  'error.method_not_allowed.body': 'Go back to the app and start again from there.',
  'error.too_many_requests.title': 'A little too fast',
  'error.too_many_requests.body': 'We received too many requests from your network. Wait a minute, then try again.',
  'error.busy.title': 'We’re very busy right now',
  'error.busy.body': 'Wait a few seconds, then reload this page.',
  'error.not_found.title': 'There is nothing here',
  'error.not_found.body':
    'The address may be mistyped, or the page has moved. Go back to the app and start from there.',
  'error.server_error.title': 'Something went wrong on our side',
  'error.server_error.body': 'It wasn’t anything you did. Try again in a moment.',
} as const
