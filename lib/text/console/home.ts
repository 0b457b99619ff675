/** The texts of the first page. */
export const home = {
  'home.title': 'Home',
  'home.lead': 'What needs attention, and what happened lately.',
  'home.attention': 'Needs attention',
  'home.attention.lead': 'What the server found when it looked at itself.',
  'home.attention.none': 'Nothing. Everything is well.',
  'home.attention.looking': 'Looking…',
  'home.active': 'Active users in 30 days',
  'home.logins': 'Logins in 7 days',
  'home.signups': 'Sign-ups in 7 days',
  'home.chart': 'Logins by day',
  'home.chart.lead': 'The last month.',
  'home.day': 'Day',
  'home.latest': 'Latest events',
  'home.latest.lead': 'The log has more.',
  'home.latest.all': 'All logs',
} as const
