// The largest part of the program, to be run by itself (boot.ts).
import 'react-dom/client';
import 'react/jsx-runtime';
