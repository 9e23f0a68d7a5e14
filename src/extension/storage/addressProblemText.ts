import * as vscode from 'vscode';
import type { AddressProblem } from './sharedAddress.ts';

export function addressProblemText(problem: AddressProblem): string {
  const shape = vscode.l10n.t('The address looks like postgres://role@host/database.');
  switch (problem) {
    case 'shape':
      return shape;
    case 'password':
      return vscode.l10n.t(
        'Leave the password out of the address. It is asked for next, and kept in the secret storage.',
      );
    case 'role':
      return vscode.l10n.t('The role is missing, which says who you are. {0}', shape);
    case 'host':
      return vscode.l10n.t('The host is missing. {0}', shape);
    case 'database':
      return vscode.l10n.t('The name of the database is missing. {0}', shape);
  }
}
