/** The English translations contain, word for word, every text that the specification quotes. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const englishTexts = new Set(
  globSync('src/i18n/en/*.json').flatMap((file) =>
    Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>),
  ),
)

test.each([
  /* Screens and routes */
  'Sign Up',
  'Login',
  'Home Page',
  "Who's watching?",
  'Manage',
  'Done',
  'More Info',
  'Continue Watching',
  'Top Picks For You',
  'Popular Movies Right Now',
  'Top Trending TV Shows',
  'Movies',
  'TV Shows',
  'Latest',
  'Top Rated',
  'Newest Seasons',
  'All',
  'Movie Details',
  'TV Show Details',
  'Profile',
  'Security',
  'Devices',
  'Preferences',
  'No results found for',
  'Try adjusting your search or filter.',
  'No titles found',
  'Manage Profiles',
  'Account',
  'Dashboard',
  'Logout',
  'You do not have permission to access this page.',
  'Something went wrong on the server',
  'Try again',
  'Something went wrong!',
  /* States and transitions */
  'Watching state updated successfully',
  'Added to watchlist',
  'Removed from watchlist',
  /* Validation rules */
  'PIN must be 4 digits',
  'Invalid PIN',
  'Profile name cannot be empty',
  'Email or password incorrect',
  /* Error catalogue */
  'A network error occurred. Please check your connection and try again.',
  'Failed to update password',
  'Failed to delete profile',
  'Failed to unlock profile',
  'Network error',
  'Failed to create profile',
  'Failed to update profile',
  'Failed to remove profile lock',
  'Failed to revoke device',
  'Something went wrong',
  'Password updated successfully',
  'Profile created successfully',
  'Profile updated successfully',
  'Profile deleted successfully',
  'Device revoked successfully',
  'Preferences updated successfully',
  'History cleared successfully',
  'Progress reset successfully',
])('the English translations contain the text "%s" of the specification', (text) =>
  expect(englishTexts.has(text)).toBe(true),
)
