// Starts everything once all scripts are there.
"use strict";

Tables.start();
Viewer.start();
Charts.start();
