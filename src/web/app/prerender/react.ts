// The largest part of the app, in its own module so that boot.ts can run it in its own task.
import 'react-dom/client';
import 'react/jsx-runtime';
